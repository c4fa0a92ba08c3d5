export const ADMINISTRATION_TABS = [
  { path: "users", label: "Users", verb: "user.manage" },
  { path: "api-tokens", label: "API tokens", verb: "api_token.manage" },
  { path: "enrolment-tokens", label: "Enrolment tokens", verb: "enrolment_token.manage" },
  { path: "host-labels", label: "Host labels", verb: "host.update" },
  { path: "host-groups", label: "Host groups", verb: "host_group.manage" },
  { path: "approval-rules", label: "Approval rules", verb: "approval_rule.manage" },
  { path: "maintenance-windows", label: "Maintenance windows", verb: "maintenance_window.manage" },
  { path: "pause", label: "Pause", verb: "change.pause" },
];
