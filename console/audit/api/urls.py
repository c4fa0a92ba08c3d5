"""URLs of the audit under /api/v1/."""

from django.urls import path

from console.audit.api import views

urlpatterns = [
    path("audit/", views.AuditListApi.as_view(), name="audit-list"),
    path("audit/<uuid:pk>/", views.AuditDetailApi.as_view(), name="audit-detail"),
]
