"""URLs of console.inventory under /api/v1/."""

from typing import Any

from django.urls import path

from console.inventory.api import matrix_views, use_views, views
from console.inventory.api.host_views import HostScanApi, SnapshotDiffApi

_LISTS: tuple[tuple[str, str, Any, Any], ...] = (
    ("units", "unit", views.UnitListApi, views.UnitDetailApi),
    ("domains", "domain", views.DomainListApi, views.DomainDetailApi),
    ("providers", "provider", views.ProviderListApi, views.ProviderDetailApi),
    ("mechanisms", "mechanism", views.MechanismListApi, views.MechanismDetailApi),
    ("slots", "slot", views.SlotListApi, views.SlotDetailApi),
    ("tokens", "token", views.TokenListApi, views.TokenDetailApi),
    ("certificates", "certificate", views.CertificateListApi, views.CertificateDetailApi),
    ("snapshots", "snapshot", views.SnapshotListApi, views.SnapshotDetailApi),
)

urlpatterns = [
    *(path(f"{where}/", lists.as_view(), name=f"{noun}-list") for where, noun, lists, _ in _LISTS),
    *(
        path(f"{where}/<uuid:pk>/", one.as_view(), name=f"{noun}-detail")
        for where, noun, _, one in _LISTS
    ),
    path("hosts/<uuid:pk>/scan/", HostScanApi.as_view(), name="host-scan"),
    path("hosts/<uuid:pk>/snapshots/diff/", SnapshotDiffApi.as_view(), name="snapshot-diff"),
    path("hosts/<uuid:pk>/matrix/", matrix_views.HostMatrixApi.as_view(), name="host-matrix"),
    path(
        "hosts/<uuid:pk>/crypto-use/",
        use_views.HostCryptoUseApi.as_view(),
        name="host-crypto-use",
    ),
    path("metaslots/", matrix_views.MetaslotListApi.as_view(), name="metaslot-list"),
]
