/** All writes. The console's event stream then says what to read again. */
import { body, client, done } from "./client";
import type {
  ApprovalRuleInput,
  BatchInput,
  ChangeInput,
  EnrolmentTokenInput,
  HostGroupChange,
  JobInput,
  MaintenanceWindowInput,
  Role,
  Theme,
} from "./types";

const one = (id: string) => ({ params: { path: { id } } });

// The session.
export const login = (credentials: { username: string; password: string }) =>
  body(client.POST("/api/v1/session/", { body: credentials }));
export const logout = () => done(client.DELETE("/api/v1/session/"));
export const themeSet = (theme: Theme) => body(client.PATCH("/api/v1/me/", { body: { theme } }));
export const passwordChange = (passwords: { old_password: string; new_password: string }) =>
  done(client.POST("/api/v1/me/password/", { body: passwords }));

// Users and tokens.
export const userCreate = (user: { username: string; email: string; role: Role }) =>
  body(client.POST("/api/v1/users/", { body: user }));
export const userUpdate = (id: string, changes: { role: Role; email: string }) =>
  body(client.PATCH("/api/v1/users/{id}/", { ...one(id), body: changes }));
export const userActivate = (id: string) =>
  body(client.POST("/api/v1/users/{id}/activate/", one(id)));
export const userDeactivate = (id: string) =>
  body(client.POST("/api/v1/users/{id}/deactivate/", one(id)));
export const userPasswordReset = (id: string) =>
  body(client.POST("/api/v1/users/{id}/password/", one(id)));
export const apiTokenCreate = (token: { name: string; expires_at: string | null }) =>
  body(client.POST("/api/v1/api-tokens/", { body: token }));
export const apiTokenRevoke = (id: string) =>
  body(client.POST("/api/v1/api-tokens/{id}/revoke/", one(id)));

// Hosts.
export const enrolmentTokenCreate = (token: EnrolmentTokenInput) =>
  body(client.POST("/api/v1/enrolment-tokens/", { body: token }));
export const enrolmentTokenRevoke = (id: string) =>
  body(client.POST("/api/v1/enrolment-tokens/{id}/revoke/", one(id)));
export const hostUpdate = (id: string, changes: { name: string; labels: Record<string, string> }) =>
  body(client.PATCH("/api/v1/hosts/{id}/", { ...one(id), body: changes }));
export const hostRetire = (id: string) => body(client.POST("/api/v1/hosts/{id}/retire/", one(id)));
export const hostScan = (id: string) => body(client.POST("/api/v1/hosts/{id}/scan/", one(id)));
export const hostReleaseLane = (id: string) =>
  body(client.POST("/api/v1/hosts/{id}/release-work-lane/", one(id)));
export const findingAcknowledge = (id: string, comment: string) =>
  body(client.POST("/api/v1/findings/{id}/acknowledge/", { ...one(id), body: { comment } }));

// Jobs.
export const jobCreate = (job: JobInput) => body(client.POST("/api/v1/jobs/", { body: job }));
export const jobCancel = (id: string) => body(client.POST("/api/v1/jobs/{id}/cancel/", one(id)));
export const jobAgain = (id: string) => body(client.POST("/api/v1/jobs/{id}/again/", one(id)));

// Changes.
type Approval = { plan_digest: string; comment: string; confirmation: string };
export const changeCreate = (change: ChangeInput) =>
  body(client.POST("/api/v1/changes/", { body: change }));
export const batchCreate = (batch: BatchInput) =>
  body(client.POST("/api/v1/change-batches/", { body: batch }));
/** One round of a batch's act; `left` says how many are to do after `last`. */
export const batchAct = (id: string, act: "approve" | "apply" | "cancel", after: number) =>
  act === "approve"
    ? body(
        client.POST("/api/v1/change-batches/{id}/approve/", {
          ...one(id),
          body: { after, comment: "" },
        }),
      )
    : act === "apply"
      ? body(client.POST("/api/v1/change-batches/{id}/apply/", { ...one(id), body: { after } }))
      : body(client.POST("/api/v1/change-batches/{id}/cancel/", { ...one(id), body: { after } }));
export const changePlan = (id: string) => body(client.POST("/api/v1/changes/{id}/plan/", one(id)));
export const changeApprove = (id: string, approval: Approval) =>
  body(client.POST("/api/v1/changes/{id}/approve/", { ...one(id), body: approval }));
export const changeReject = (id: string, comment: string) =>
  body(client.POST("/api/v1/changes/{id}/reject/", { ...one(id), body: { comment } }));
export const changeApply = (id: string, apply: { plan_digest: string; confirmation: string }) =>
  body(client.POST("/api/v1/changes/{id}/apply/", { ...one(id), body: apply }));
export const changeCancel = (id: string) =>
  body(client.POST("/api/v1/changes/{id}/cancel/", one(id)));
export const changeCheck = (id: string) =>
  body(client.POST("/api/v1/changes/{id}/check/", one(id)));
export const changeRollback = (id: string, reason: string) =>
  body(client.POST("/api/v1/changes/{id}/rollback/", { ...one(id), body: { reason } }));

// What changes go by.
export const pauseSet = (pause: { is_paused: boolean; reason: string }) =>
  body(client.PUT("/api/v1/change-pause/", { body: pause }));
export const approvalRuleCreate = (rule: ApprovalRuleInput) =>
  body(client.POST("/api/v1/approval-rules/", { body: rule }));
export const approvalRuleUpdate = (id: string, rule: ApprovalRuleInput) =>
  body(client.PATCH("/api/v1/approval-rules/{id}/", { ...one(id), body: rule }));
export const approvalRuleDelete = (id: string) =>
  done(client.DELETE("/api/v1/approval-rules/{id}/", one(id)));
export const hostGroupCreate = (group: { name: string; description: string }) =>
  body(client.POST("/api/v1/host-groups/", { body: group }));
export const hostGroupUpdate = (id: string, change: HostGroupChange) =>
  body(client.PATCH("/api/v1/host-groups/{id}/", { ...one(id), body: change }));
export const hostGroupDelete = (id: string) =>
  done(client.DELETE("/api/v1/host-groups/{id}/", one(id)));
export const maintenanceWindowCreate = (window: MaintenanceWindowInput) =>
  body(client.POST("/api/v1/maintenance-windows/", { body: window }));
export const maintenanceWindowUpdate = (
  id: string,
  window: Omit<MaintenanceWindowInput, "group">,
) => body(client.PATCH("/api/v1/maintenance-windows/{id}/", { ...one(id), body: window }));
export const maintenanceWindowDelete = (id: string) =>
  done(client.DELETE("/api/v1/maintenance-windows/{id}/", one(id)));
