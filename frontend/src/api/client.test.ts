import { http, HttpResponse } from "msw";
import { expect, it } from "vitest";
import { server } from "../test/server";
import { body, client } from "./client";
import { ApiError, asApiError } from "./errors";

const JOBS = "*/api/v1/jobs/:id/cancel/";
const cancel = () =>
  body(client.POST("/api/v1/jobs/{id}/cancel/", { params: { path: { id: "1" } } }));

it("throws the API's own error with its code", async () => {
  server.use(
    http.post(JOBS, () =>
      HttpResponse.json(
        { code: "job.is_over", message: "The job is over.", extra: { request_id: "r1" } },
        { status: 409 },
      ),
    ),
  );
  const error = await cancel().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, code: "job.is_over", requestId: "r1" });
});

it("sends the CSRF token with writes", async () => {
  document.cookie = "csrftoken=abc123";
  let sent: string | null = null;
  server.use(
    http.post(JOBS, ({ request }) => {
      sent = request.headers.get("X-CSRFToken");
      return HttpResponse.json({});
    }),
  );
  await cancel();
  expect(sent).toBe("abc123");
});

it("makes an error of a proxy's page", async () => {
  server.use(http.post(JOBS, () => new HttpResponse("<h1>Bad gateway</h1>", { status: 502 })));
  await expect(cancel()).rejects.toMatchObject({ status: 502, code: "http.502" });
});

it("says in words that the console does not answer", async () => {
  server.use(http.post(JOBS, () => HttpResponse.error()));
  const error = await cancel().catch(asApiError);
  expect(error).toMatchObject({ status: 0, code: "console.unreachable" });
});

it("gives the sentences of refused fields, whatever their shape", () => {
  const error = new ApiError(400, "input.invalid", "No.", {
    fields: { name: ["Too long.", "Taken."], role: "No such role.", age: [{ message: "Odd." }] },
  });
  expect(error.fields).toEqual({ name: "Too long. Taken.", role: "No such role.", age: "Odd." });
});
