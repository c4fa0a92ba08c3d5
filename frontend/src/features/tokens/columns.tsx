import { Link } from "react-router";
import type { Certificate, Token } from "../../api/types";
import { formatCount } from "../../components/format";
import { HostName } from "../../components/HostName";
import type { Column, Filter } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";
import { useNow } from "../../components/useNow";
import { GONE_OPTIONS, PIN_STATES, wordOptions, yesNoOptions } from "../../components/words";
import { tokenName } from "./tokenName";

export const tokenHostColumn: Column<Token> = {
  title: "Host",
  orderBy: "host",
  cell: (token) => <HostName host={token.host} tab="tokens" />,
};

export const TOKEN_COLUMNS: Column<Token>[] = [
  { title: "Label", orderBy: "label", cell: (token) => <TokenLink token={token} /> },
  { title: "Serial", orderBy: "serial", cell: (token) => <Mono>{token.serial}</Mono> },
  { title: "Model", cell: (token) => `${token.manufacturer} ${token.model}`.trim() },
  {
    title: "Provider",
    cell: (token) => (
      <span className="kr-anywhere">
        <Mono>{token.provider.name}</Mono>
      </span>
    ),
  },
  {
    title: "User PIN",
    orderBy: "user_pin_state",
    cell: (token) => <StateLabel state={token.user_pin_state} />,
  },
  { title: "SO PIN", cell: (token) => <StateLabel state={token.so_pin_state} /> },
  {
    title: "Certificates",
    isNumeric: true,
    cell: (token) => formatCount(token.certificate_count),
  },
];

export function TokenLink({ token }: { token: Pick<Token, "id" | "label" | "serial"> }) {
  return (
    <Link className="kr-mono" to={`/tokens/${token.id}`}>
      {tokenName(token)}
    </Link>
  );
}

export const TOKEN_FILTERS = [
  { kind: "text", name: "search", label: "Label, serial or model" },
  {
    kind: "choices",
    name: "user_pin_state",
    label: "User PIN",
    options: wordOptions(PIN_STATES),
  },
  {
    kind: "choice",
    name: "is_initialised",
    label: "Initialised",
    options: yesNoOptions("Initialised", "Not initialised"),
  },
  { kind: "choice", name: "gone", label: "Presence", options: GONE_OPTIONS },
] as const satisfies Filter<string>[];

export const CERTIFICATE_COLUMNS: Column<Certificate>[] = [
  {
    title: "Subject",
    orderBy: "subject",
    cell: (certificate) => <CertificateName certificate={certificate} />,
  },
  { title: "Names", cell: (certificate) => <Mono>{certificate.names.join(", ")}</Mono> },
  { title: "Issuer", cell: (certificate) => <Mono>{certificate.issuer}</Mono> },
  {
    title: "Expires",
    orderBy: "not_after",
    isTight: true,
    cell: (certificate) => <Expiry at={certificate.not_after} />,
  },
  {
    title: "Key",
    cell: (certificate) => `${certificate.key_type} ${certificate.key_bits ?? ""}`.trim(),
  },
];

export const certificatePlaceColumns: Column<Certificate>[] = [
  {
    title: "Host",
    orderBy: "host",
    cell: (certificate) => <HostName host={certificate.host} tab="tokens" />,
  },
  {
    title: "Token",
    cell: (certificate) => <TokenLink token={{ ...certificate.token, serial: "" }} />,
  },
];

function CertificateName({ certificate }: { certificate: Certificate }) {
  if (certificate.error !== "") {
    return (
      <>
        <StateLabel state="failed" text="unreadable" /> {certificate.error}
      </>
    );
  }
  return <Mono>{certificate.subject || certificate.label}</Mono>;
}

const SOON_MILLISECONDS = 30 * 86_400_000;

/** The expiry as a countdown, marked when it is near or over. */
export function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "not known";
  const left = Date.parse(at) - now;
  if (left > SOON_MILLISECONDS) return <Time at={at} />;
  return (
    <span className="kr-inline">
      <Time at={at} />
      <StateLabel state={left > 0 ? "warning" : "critical"} text={left > 0 ? "soon" : "expired"} />
    </span>
  );
}
