"""URLs that agents call: /agent/v1/…, /agent/install.sh, /agent/wheels/."""

from django.urls import URLPattern, path

from console.agentapi import views_work

urlpatterns: list[URLPattern] = [
    path("v1/claim/", views_work.claim, name="agent-claim"),
    path("v1/lease/", views_work.lease, name="agent-lease"),
    path("v1/reports/", views_work.reports, name="agent-reports"),
]
