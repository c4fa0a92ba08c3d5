// Every page of the dashboard, by a short name. Addresses of objects come from the API.

/** `visitor` is logged in as an administrator of a console with a host, a token and a job. */
export async function everyPage(visitor) {
  const first = async (address) => (await visitor.get(address)).results[0];
  const host = (await first("/api/v1/hosts/?state=active&is_simulated=false")).id;
  const token = (await first("/api/v1/tokens/?is_initialised=true")).id;
  const job = (await first("/api/v1/jobs/?state=finished")).id;
  const simulated = (await first("/api/v1/hosts/?is_simulated=true")).id;
  const domain = (await first(`/api/v1/domains/?host=${simulated}`)).id;
  const change = (await first("/api/v1/changes/?state=succeeded")).id;
  const provider = (await first(`/api/v1/providers/?kind=pkcs11_library&host=${host}`)).id;
  return {
    overview: "/",
    hosts: "/hosts",
    enrol: "/hosts/enrol",
    "host-summary": `/hosts/${host}/summary`,
    "host-units": `/hosts/${host}/units`,
    "host-providers": `/hosts/${host}/providers`,
    "host-provider": `/hosts/${host}/providers?provider=${provider}`,
    "host-mechanisms": `/hosts/${host}/providers?view=mechanisms`,
    "host-tokens": `/hosts/${host}/tokens`,
    "host-jobs": `/hosts/${host}/jobs`,
    "host-changes": `/hosts/${host}/changes`,
    "host-history": `/hosts/${host}/history`,
    "host-matrix": `/hosts/${simulated}/units`,
    "host-domains": `/hosts/${simulated}/domains`,
    "host-metaslot": `/hosts/${simulated}/providers`,
    units: "/units",
    matrix: `/units/matrix?host=${simulated}`,
    domains: "/domains",
    domain: `/domains/${domain}`,
    tokens: "/tokens",
    token: `/tokens/${token}`,
    certificates: "/certificates",
    providers: "/providers",
    mechanisms: "/mechanisms",
    policy: "/policy",
    metaslots: "/metaslots",
    jobs: "/jobs",
    runs: "/runs",
    "new-job": `/jobs/new?hosts=${host}`,
    job: `/jobs/${job}`,
    changes: "/changes",
    "new-change": "/changes/new?kind=mechanism.policy",
    batches: "/changes/batches",
    drifts: "/drifts",
    change: `/changes/${change}`,
    findings: "/findings",
    audit: "/audit",
    users: "/administration/users",
    "api-tokens": "/administration/api-tokens",
    "enrolment-tokens": "/administration/enrolment-tokens",
    "host-labels": "/administration/host-labels",
    "host-groups": "/administration/host-groups",
    "approval-rules": "/administration/approval-rules",
    "maintenance-windows": "/administration/maintenance-windows",
    pause: "/administration/pause",
    search: "/search?q=aes",
    "not-found": "/no/such/page",
  };
}

/** Open a page and wait until what it shows has come. */
export async function open(page, address) {
  await page.goto(address);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".pf-v6-c-skeleton").length === 0);
}

/** What the pager says: `51 - 100 of 10000`. */
export function pagesSay(from, to, total) {
  return new RegExp(`${from} - ${to}\\s*of\\s*${total}`);
}
