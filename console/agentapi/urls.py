"""URLs that agents call: /agent/v1/…, /agent/install.sh, /agent/wheels/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
