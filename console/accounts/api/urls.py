"""URLs of accounts under /api/v1/: session, me, users, API tokens."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
