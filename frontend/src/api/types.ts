/** Short names for the generated schema's types. No type of the API is written by hand. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["MeOutput"];
export type Role = Schemas["Role"];
export type Theme = Schemas["Theme"];
export type User = Schemas["UserOutput"];
export type ApiToken = Schemas["ApiTokenOutput"];
export type AuditEvent = Schemas["AuditEventOutput"];

export type Host = Schemas["HostOutput"];
export type EnrolmentToken = Schemas["EnrolmentTokenOutput"];
export type EnrolmentTokenCreated = Schemas["EnrolmentTokenCreatedOutput"];
export type EnrolmentTokenInput = Schemas["EnrolmentTokenCreateInput"];

export type Unit = Schemas["UnitOutput"];
export type Provider = Schemas["ProviderOutput"];
export type Slot = Schemas["SlotOutput"];
export type Mechanism = Schemas["MechanismOutput"];
export type Token = Schemas["TokenOutput"];
export type Certificate = Schemas["CertificateOutput"];
export type Snapshot = Schemas["SnapshotOutput"];
export type SnapshotChange = Schemas["ChangeOutput"];
export type Finding = Schemas["FindingOutput"];

export type Workload = Schemas["WorkloadOutput"];
export type Eligibility = Schemas["EligibilityOutput"];
export type Job = Schemas["JobOutput"];
export type JobDetail = Schemas["JobDetailOutput"];
export type JobInput = Schemas["JobCreateInput"];
export type RunSummary = Schemas["RunSummaryOutput"];
export type Comparison = Schemas["ComparisonOutput"];
export type Figures = Schemas["FiguresOutput"];

export type Change = Schemas["ChangeSummaryOutput"];
export type ChangeDetail = Schemas["ChangeDetailOutput"];
export type ChangeInput = Schemas["ChangeCreateInput"];
export type Matrix = Schemas["MatrixOutput"];
export type MatrixDomain = Schemas["MatrixDomainOutput"];
export type MatrixUnit = Schemas["MatrixUnitOutput"];
export type CryptoUse = Schemas["CryptoUseOutput"];
export type CryptoUseRow = Schemas["CryptoUseRowOutput"];
export type Domain = Schemas["DomainOutput"];
export type Metaslot = Schemas["MetaslotOutput"];
export type Kind = Schemas["KindOutput"];
export type KindEligibility = Schemas["KindEligibilityOutput"];
export type Batch = Schemas["BatchOutput"];
export type BatchDone = Schemas["BatchDoneOutput"];
export type Drift = Schemas["DriftOutput"];
export type Pause = Schemas["PauseOutput"];
export type Risk = Schemas["RiskEnum"];
export type ApprovalRule = Schemas["ApprovalRuleOutput"];
export type ApprovalRuleInput = Schemas["ApprovalRuleCreateInput"];
export type HostGroup = Schemas["HostGroupOutput"];
export type HostGroupChange = Schemas["HostGroupUpdateInput"];
export type MaintenanceWindow = Schemas["MaintenanceWindowOutput"];
export type MaintenanceWindowInput = Schemas["MaintenanceWindowCreateInput"];
export type BatchInput = Schemas["BatchCreateInput"];
export type ChangePlan = Schemas["PlanOutput"];
export type ChangePhase = Schemas["PhaseOutput"];
export type ChangeStep = Schemas["StepOutput"];
export type StepResult = Schemas["StepResultOutput"];

export type Overview = Schemas["OverviewOutput"];
export type FigureCount = Schemas["FigureCountOutput"];
export type UnitStrip = Schemas["UnitStripOutput"];
export type RecentJob = Schemas["RecentJobOutput"];
export type Speedup = Schemas["SpeedupOutput"];
export type Hit = Schemas["HitOutput"];
export type HitGroup = Schemas["HitGroupOutput"];
