/** The API's one error shape, `{code, message, extra}`, as a throwable. */

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: Record<string, unknown>;

  constructor(status: number, code: string, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.extra = extra;
  }

  /** Names this one failure in the console's log, where the console gave it a name. */
  get requestId(): string | undefined {
    const id = this.extra["request_id"];
    return typeof id === "string" ? id : undefined;
  }

  /** Messages by field of a refused form. */
  get fields(): Record<string, string> {
    const fields = this.extra["fields"];
    if (typeof fields !== "object" || fields === null) return {};
    return Object.fromEntries(
      Object.entries(fields).map(([name, said]) => [name, fieldMessage(said)]),
    );
  }
}

function fieldMessage(said: unknown): string {
  if (Array.isArray(said)) return said.map(fieldMessage).join(" ");
  if (typeof said === "string") return said;
  if (typeof said === "object" && said !== null && "message" in said) return String(said.message);
  return JSON.stringify(said);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Build the error from a refused response, also one that a proxy gave and not the console. */
export function errorFromReply(status: number, body: unknown): ApiError {
  if (isRecord(body) && typeof body["code"] === "string" && typeof body["message"] === "string") {
    const extra = isRecord(body["extra"]) ? body["extra"] : {};
    return new ApiError(status, body["code"], body["message"], extra);
  }
  return new ApiError(status, `http.${status}`, `The console answered with HTTP status ${status}.`);
}

/** Whatever was thrown, as an ApiError. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TypeError) {
    return new ApiError(0, "console.unreachable", "The console does not answer. Is it running?");
  }
  return new ApiError(0, "dashboard.error", error instanceof Error ? error.message : String(error));
}
