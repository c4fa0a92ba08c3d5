import { Card, CardBody, CardTitle, PageSection, Stack, StackItem } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { SEARCH_MIN_LENGTH, searchQuery } from "../../api/queries";
import type { HitGroup } from "../../api/types";
import { words } from "../../components/format";
import { SimulatedLabel } from "../../components/HostName";
import { PageHead } from "../../components/PageHead";
import { QueryView } from "../../components/QueryView";
import { EmptyView } from "../../components/States";
import { hitLink, kindTitle, moreLink } from "./hits";

export function SearchPage() {
  const [params] = useSearchParams();
  const text = params.get("q")?.trim() ?? "";
  return (
    <>
      <PageHead title={text === "" ? "Search" : `Search: ${text}`} />
      <PageSection isFilled>
        {text.length < SEARCH_MIN_LENGTH ? (
          <EmptyView title="What are you looking for?" icon={SearchIcon}>
            Type two letters or more of a name, a serial number or a certificate’s subject into the
            field above.
          </EmptyView>
        ) : (
          <Results text={text} />
        )}
      </PageSection>
    </>
  );
}

function Results({ text }: { text: string }) {
  const search = useQuery(searchQuery(text));
  return (
    <QueryView query={search} what="the search" lines={8}>
      {({ groups }) =>
        groups.length === 0 ? (
          <EmptyView title="Nothing found" icon={SearchIcon}>
            No host, crypto unit, domain, token, certificate, provider or job carries that name.
          </EmptyView>
        ) : (
          <Stack hasGutter>
            {groups.map((group) => (
              <StackItem key={group.kind}>
                <Group group={group} text={text} />
              </StackItem>
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

function Group({ group, text }: { group: HitGroup; text: string }) {
  const more = moreLink(group, text);
  return (
    <Card isCompact>
      <CardTitle component="h2">{kindTitle(group)}</CardTitle>
      <CardBody>
        <ul className="kr-plain-list">
          {group.results.map((hit) => (
            <li key={hit.id} className="kr-inline kr-line">
              <Link to={hitLink(hit)} className="kr-mono">
                {hit.title}
              </Link>
              <span className="kr-subtle">
                {words(hit.subtitle)}
                {hit.host !== null && ` on ${hit.host.name}`}
              </span>
              {hit.host?.is_simulated && <SimulatedLabel />}
            </li>
          ))}
        </ul>
        {group.has_more && more !== null && <Link to={more}>All of them in the list</Link>}
      </CardBody>
    </Card>
  );
}
