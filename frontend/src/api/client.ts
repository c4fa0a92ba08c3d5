/** The one way to the console's API: typed by the generated schema, with CSRF, and errors thrown as ApiError. */
import createClient, { type Middleware } from "openapi-fetch";
import { errorFromReply } from "./errors";
import type { paths } from "./schema";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
const CSRF_COOKIE = "csrftoken";

function cookie(name: string): string {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? "" : decodeURIComponent(found.slice(name.length + 1));
}

const csrfAndErrors: Middleware = {
  onRequest({ request }) {
    if (!SAFE_METHODS.has(request.method)) request.headers.set("X-CSRFToken", cookie(CSRF_COOKIE));
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => null);
    throw errorFromReply(response.status, body);
  },
};

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  // Several values of one parameter stand in one, with commas between them.
  querySerializer: { array: { style: "form", explode: false } },
  // Looked up at each call, so that tests can stand in for the network.
  fetch: (request) => globalThis.fetch(request),
});
client.use(csrfAndErrors);

/** The body of a successful reply. Refusals have been thrown before this. */
export async function body<T>(reply: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await reply;
  if (data === undefined) throw errorFromReply(response.status, null);
  return data;
}

/** For replies without a body (204). */
export async function done(reply: Promise<unknown>): Promise<void> {
  await reply;
}
