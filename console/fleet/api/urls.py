"""URLs of console.fleet under /api/v1/."""

from django.urls import path

from console.fleet.api.group_views import HostGroupDetailApi, HostGroupListApi
from console.fleet.api.views import (
    EnrolmentTokenDetailApi,
    EnrolmentTokenListApi,
    EnrolmentTokenRevokeApi,
    HostDetailApi,
    HostGaugesApi,
    HostListApi,
    HostRetireApi,
    HostRevokeApi,
)

urlpatterns = [
    path("hosts/", HostListApi.as_view(), name="host-list"),
    path("hosts/<uuid:pk>/", HostDetailApi.as_view(), name="host-detail"),
    path("hosts/<uuid:pk>/retire/", HostRetireApi.as_view(), name="host-retire"),
    path("hosts/<uuid:pk>/revoke/", HostRevokeApi.as_view(), name="host-revoke"),
    path("hosts/<uuid:pk>/gauges/", HostGaugesApi.as_view(), name="host-gauges"),
    path("host-groups/", HostGroupListApi.as_view(), name="host-group-list"),
    path("host-groups/<uuid:pk>/", HostGroupDetailApi.as_view(), name="host-group-detail"),
    path("enrolment-tokens/", EnrolmentTokenListApi.as_view(), name="enrolment-token-list"),
    path(
        "enrolment-tokens/<uuid:pk>/",
        EnrolmentTokenDetailApi.as_view(),
        name="enrolment-token-detail",
    ),
    path(
        "enrolment-tokens/<uuid:pk>/revoke/",
        EnrolmentTokenRevokeApi.as_view(),
        name="enrolment-token-revoke",
    ),
]
