"""URLs of console.advice under /api/v1/."""

from django.urls import path

from console.advice.api.views import FindingAcknowledgeApi, FindingDetailApi, FindingListApi

urlpatterns = [
    path("findings/", FindingListApi.as_view(), name="finding-list"),
    path("findings/<uuid:pk>/", FindingDetailApi.as_view(), name="finding-detail"),
    path(
        "findings/<uuid:pk>/acknowledge/",
        FindingAcknowledgeApi.as_view(),
        name="finding-acknowledge",
    ),
]
