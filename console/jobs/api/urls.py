"""URLs of console.jobs under /api/v1/."""

from django.urls import URLPattern, path

from console.jobs.api import views

urlpatterns: list[URLPattern] = [
    path("workloads/", views.WorkloadListApi.as_view()),
    path("workloads/<str:name>/", views.WorkloadDetailApi.as_view()),
    path("workloads/<str:name>/eligibility/", views.WorkloadEligibilityApi.as_view()),
    path("workloads/<str:name>/expectation/", views.WorkloadExpectationApi.as_view()),
    path("jobs/", views.JobListApi.as_view()),
    path("jobs/<uuid:pk>/", views.JobDetailApi.as_view()),
    path("jobs/<uuid:pk>/cancel/", views.JobCancelApi.as_view()),
    path("jobs/<uuid:pk>/again/", views.JobAgainApi.as_view()),
    path("jobs/<uuid:pk>/export/", views.JobExportApi.as_view()),
    path("runs/", views.RunListApi.as_view()),
    path("runs/<uuid:pk>/", views.RunDetailApi.as_view()),
    path("runs/<uuid:pk>/cancel/", views.RunCancelApi.as_view()),
    path("runs/<uuid:pk>/output/", views.RunOutputApi.as_view()),
    path("samples/", views.SampleListApi.as_view()),
    path("samples/<int:pk>/", views.SampleDetailApi.as_view()),
    path("hosts/<uuid:pk>/release-work-lane/", views.HostWorkLaneReleaseApi.as_view()),
]
