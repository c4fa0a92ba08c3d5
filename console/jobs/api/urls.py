"""URLs of console.jobs under /api/v1/."""

from django.urls import URLPattern, path

from console.jobs.api import views

urlpatterns: list[URLPattern] = [
    path("workloads/", views.WorkloadListApi.as_view(), name="workload-list"),
    path("workloads/<str:name>/", views.WorkloadDetailApi.as_view(), name="workload-detail"),
    path(
        "workloads/<str:name>/eligibility/",
        views.WorkloadEligibilityApi.as_view(),
        name="workload-eligibility",
    ),
    path(
        "workloads/<str:name>/expectation/",
        views.WorkloadExpectationApi.as_view(),
        name="workload-expectation",
    ),
    path("jobs/", views.JobListApi.as_view(), name="job-list"),
    path("jobs/<uuid:pk>/", views.JobDetailApi.as_view(), name="job-detail"),
    path("jobs/<uuid:pk>/cancel/", views.JobCancelApi.as_view(), name="job-cancel"),
    path("jobs/<uuid:pk>/again/", views.JobAgainApi.as_view(), name="job-again"),
    path("jobs/<uuid:pk>/export/", views.JobExportApi.as_view(), name="job-export"),
    path("runs/", views.RunListApi.as_view(), name="run-list"),
    path("runs/<uuid:pk>/", views.RunDetailApi.as_view(), name="run-detail"),
    path("runs/<uuid:pk>/cancel/", views.RunCancelApi.as_view(), name="run-cancel"),
    path("runs/<uuid:pk>/output/", views.RunOutputApi.as_view(), name="run-output"),
    path("samples/", views.SampleListApi.as_view(), name="sample-list"),
    path("samples/<int:pk>/", views.SampleDetailApi.as_view(), name="sample-detail"),
    path(
        "hosts/<uuid:pk>/release-work-lane/",
        views.HostWorkLaneReleaseApi.as_view(),
        name="host-release-work-lane",
    ),
]
