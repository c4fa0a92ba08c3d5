export const ADMINISTRATION_TABS = [
  { path: "users", label: "Users", verb: "user.manage" },
  { path: "api-tokens", label: "API tokens", verb: "api_token.manage" },
  { path: "enrolment-tokens", label: "Enrolment tokens", verb: "enrolment_token.manage" },
  { path: "host-labels", label: "Host labels", verb: "host.update" },
];
