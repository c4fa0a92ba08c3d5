"""URLs of console.overview under /api/v1/."""

from django.urls import path

from console.overview.api.views import OverviewApi, SearchApi

urlpatterns = [
    path("overview/", OverviewApi.as_view(), name="overview"),
    path("search/", SearchApi.as_view(), name="search"),
]
