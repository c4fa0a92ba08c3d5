"""URLs of console.changes under /api/v1/."""

from django.urls import URLPattern, path

from console.changes.api import batch_views, policy_views, views

urlpatterns: list[URLPattern] = [
    path("change-kinds/", views.ChangeKindListApi.as_view(), name="change-kind-list"),
    path(
        "change-kinds/<str:name>/eligibility/",
        views.ChangeKindEligibilityApi.as_view(),
        name="change-kind-eligibility",
    ),
    path("change-pause/", views.ChangePauseApi.as_view(), name="change-pause"),
    path("changes/", views.ChangeListApi.as_view(), name="change-list"),
    path("changes/<uuid:pk>/", views.ChangeDetailApi.as_view(), name="change-detail"),
    path("changes/<uuid:pk>/plan/", views.ChangePlanApi.as_view(), name="change-plan"),
    path("changes/<uuid:pk>/approve/", views.ChangeApproveApi.as_view(), name="change-approve"),
    path("changes/<uuid:pk>/reject/", views.ChangeRejectApi.as_view(), name="change-reject"),
    path("changes/<uuid:pk>/apply/", views.ChangeApplyApi.as_view(), name="change-apply"),
    path("changes/<uuid:pk>/cancel/", views.ChangeCancelApi.as_view(), name="change-cancel"),
    path("changes/<uuid:pk>/check/", views.ChangeCheckApi.as_view(), name="change-check"),
    path("changes/<uuid:pk>/rollback/", views.ChangeRollbackApi.as_view(), name="change-rollback"),
    path("changes/<uuid:pk>/output/", views.ChangeOutputApi.as_view(), name="change-output"),
    path("change-batches/", batch_views.BatchListApi.as_view(), name="batch-list"),
    path("change-batches/<uuid:pk>/", batch_views.BatchDetailApi.as_view(), name="batch-detail"),
    path(
        "change-batches/<uuid:pk>/approve/",
        batch_views.BatchApproveApi.as_view(),
        name="batch-approve",
    ),
    path(
        "change-batches/<uuid:pk>/apply/", batch_views.BatchApplyApi.as_view(), name="batch-apply"
    ),
    path(
        "change-batches/<uuid:pk>/cancel/",
        batch_views.BatchCancelApi.as_view(),
        name="batch-cancel",
    ),
    path("approval-rules/", policy_views.ApprovalRuleListApi.as_view(), name="approval-rule-list"),
    path(
        "approval-rules/<uuid:pk>/",
        policy_views.ApprovalRuleDetailApi.as_view(),
        name="approval-rule-detail",
    ),
    path(
        "maintenance-windows/",
        policy_views.MaintenanceWindowListApi.as_view(),
        name="maintenance-window-list",
    ),
    path(
        "maintenance-windows/<uuid:pk>/",
        policy_views.MaintenanceWindowDetailApi.as_view(),
        name="maintenance-window-detail",
    ),
    path("drifts/", policy_views.DriftListApi.as_view(), name="drift-list"),
]
