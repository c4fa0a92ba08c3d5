import { screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { ALICE, MECHANISM, pageOf, RACK, SPARC } from "../../test/cast";
import { renderPage } from "../../test/render";
import { server } from "../../test/server";
import { onlyProvided } from "./lastProvider";
import { metaslotParameters, EMPTY_METASLOT, textProblem } from "./metaslotForm";
import { PolicyDialog } from "./PolicyDialog";
import { EMPTY_FORM, policyParameters } from "./policyForm";

const me = { ...ALICE, capabilities: { ...ALICE.capabilities, "change.request": true } };
const by = (name: string, kind: string, more = {}) => ({
  ...MECHANISM,
  id: name,
  provider: { id: name, name, kind },
  ...more,
});

describe("the last provider of a mechanism", () => {
  const n2cp = { name: "n2cp/0", kind: "kernel_hardware" };

  it("is not the one beside which another of its level offers and allows it", () => {
    const rows = [by("n2cp/0", "kernel_hardware"), by("aes", "kernel_software")];
    expect(onlyProvided(["CKM_AES_CBC"], n2cp, rows)).toEqual([]);
  });

  it("is the one whose others forbid it, or serve applications rather than the kernel", () => {
    const rows = [
      by("aes", "kernel_software", { is_allowed: false }),
      by("softtoken", "pkcs11_library"),
    ];
    expect(onlyProvided(["CKM_AES_CBC"], n2cp, rows)).toEqual(["CKM_AES_CBC"]);
  });
});

describe("what is asked of a policy", () => {
  it("is complete with mechanisms or random numbers", () => {
    expect(policyParameters("aes", EMPTY_FORM)).toBeNull();
    expect(policyParameters("aes", { ...EMPTY_FORM, mechanisms: ["CKM_AES_CBC"] })).toEqual({
      provider: "aes",
      disable: ["CKM_AES_CBC"],
    });
    expect(policyParameters("aes", { ...EMPTY_FORM, action: "none", random: "disable" })).toEqual({
      provider: "aes",
      random: "disable",
    });
  });

  it("needs a reason where it is forced", () => {
    const forced = { ...EMPTY_FORM, action: "forbid_all" as const, isForced: true };
    expect(policyParameters("aes", forced)).toBeNull();
    expect(policyParameters("aes", { ...forced, forceReason: "retired" })).toEqual({
      provider: "aes",
      disable: ["*"],
      force: true,
      force_reason: "retired",
    });
  });
});

describe("what is asked of a metaslot", () => {
  it("leaves out what stays as it is", () => {
    expect(metaslotParameters(EMPTY_METASLOT)).toBeNull();
    expect(metaslotParameters({ ...EMPTY_METASLOT, migrate: "no" })).toEqual({
      auto_key_migrate: false,
    });
  });

  it("limits labels in bytes, not in letters", () => {
    expect(textProblem("ü".repeat(16), 32)).toBeUndefined();
    expect(textProblem("ü".repeat(17), 32)).toMatch(/34/);
    expect(metaslotParameters({ ...EMPTY_METASLOT, token: "ü".repeat(17) })).toBeNull();
  });

  it("cannot enable and disable one mechanism", () => {
    const both = { ...EMPTY_METASLOT, enable: ["CKM_RC4"], disable: ["CKM_RC4"] };
    expect(metaslotParameters(both)).toBeNull();
  });
});

describe("forbidding mechanisms", () => {
  const provider = { id: "p", name: "aes", kind: "kernel_software", host: RACK };

  it("warns where no other provider would be left", async () => {
    server.use(
      http.get("*/api/v1/mechanisms/", () =>
        HttpResponse.json(pageOf([by("aes", "kernel_software")])),
      ),
    );
    renderPage(
      <PolicyDialog
        providers={[provider]}
        mechanisms={["CKM_AES_CBC"]}
        onClose={() => undefined}
      />,
      { me },
    );
    expect(await screen.findByText(/No other provider of this host would be left/)).toBeVisible();
  });

  it("on several hosts makes one batch", async () => {
    let asked: unknown;
    server.use(
      http.get("*/api/v1/mechanisms/", () => HttpResponse.json(pageOf([]))),
      http.post("*/api/v1/change-batches/", async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ id: "b1" }, { status: 201 });
      }),
    );
    const { user } = renderPage(
      <PolicyDialog
        providers={[provider, { ...provider, host: SPARC }]}
        mechanisms={["CKM_AES_CBC"]}
        onClose={() => undefined}
      />,
      { me, others: [{ path: "/changes/batches/b1", element: <h1>The batch</h1> }] },
    );
    const dialog = within(screen.getByRole("dialog"));
    await user.type(dialog.getByLabelText(/^Reason/), "retired");
    await user.click(dialog.getByRole("button", { name: "Plan" }));
    await screen.findByText("The batch");
    expect(asked).toMatchObject({
      kind: "mechanism.policy",
      hosts: [RACK.id, SPARC.id],
      parameters: { provider: "aes", disable: ["CKM_AES_CBC"] },
      reason: "retired",
    });
  });
});
