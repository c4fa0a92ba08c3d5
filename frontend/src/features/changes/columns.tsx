import { Link } from "react-router";
import type { Change } from "../../api/types";
import { HostName } from "../../components/HostName";
import type { Column } from "../../components/list/types";
import { Mono } from "../../components/Mono";
import { StateLabel } from "../../components/StateLabel";
import { Time } from "../../components/Time";

export const changeHostColumn: Column<Change> = {
  title: "Host",
  orderBy: "host",
  cell: (change) => <HostName host={change.host} tab="changes" />,
};

export const CHANGE_COLUMNS: Column<Change>[] = [
  {
    title: "Change",
    width: 35,
    cell: (change) => <Link to={`/changes/${change.id}`}>{change.sentence}</Link>,
  },
  { title: "Kind", orderBy: "kind", cell: (change) => <Mono>{change.kind}</Mono> },
  { title: "State", orderBy: "state", cell: (change) => <StateLabel state={change.state} /> },
  {
    title: "Risk",
    cell: (change) => (change.risk === "" ? "" : <StateLabel state={change.risk} />),
  },
  {
    title: "By",
    orderBy: "requested_by_name",
    cell: (change) => <Mono>{change.requested_by_name}</Mono>,
  },
  {
    title: "Asked for",
    orderBy: "created_at",
    isTight: true,
    cell: (change) => <Time at={change.created_at} />,
  },
];
