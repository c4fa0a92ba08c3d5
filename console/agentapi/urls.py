"""URLs that agents call: /agent/v1/…, /agent/install.sh, /agent/wheels/. See agents.wire.names."""

from django.urls import path

from console.agentapi import views_host, views_install, views_work

urlpatterns = [
    path("v1/enrol/", views_host.enrol, name="agent-enrol"),
    path("v1/heartbeat/", views_host.heartbeat, name="agent-heartbeat"),
    path("v1/snapshot/", views_host.snapshot, name="agent-snapshot"),
    path("v1/claim/", views_work.claim, name="agent-claim"),
    path("v1/lease/", views_work.lease, name="agent-lease"),
    path("v1/reports/", views_work.reports, name="agent-reports"),
    path("install.sh", views_install.install_script, name="agent-install-script"),
    path("wheels/", views_install.wheel_index, name="agent-wheel-index"),
    path("wheels/<str:name>", views_install.wheel, name="agent-wheel"),
]
