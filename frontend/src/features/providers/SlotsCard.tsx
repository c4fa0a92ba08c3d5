import { Card, CardBody, CardTitle } from "@patternfly/react-core";
import { Table, Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { lists } from "../../api/queries";
import { formatCount } from "../../components/format";
import { Mono } from "../../components/Mono";
import { QueryView } from "../../components/QueryView";
import { StateLabel } from "../../components/StateLabel";

const SHOWN = 100;

/** The slots of a PKCS#11 library. One that could not be read says why; the others are unaffected. */
export function SlotsCard({ providerId }: { providerId: string }) {
  const slots = useQuery(lists.slots({ provider: providerId, page_size: String(SHOWN) }));
  return (
    <Card className="kr-below">
      <CardTitle component="h2">Slots</CardTitle>
      <CardBody>
        <QueryView query={slots} what="the slots" lines={3}>
          {({ results, count }) =>
            count === 0 ? (
              "This library has no slot."
            ) : (
              <>
                <Table variant="compact" aria-label="Slots of this provider">
                  <Thead>
                    <Tr>
                      <Th className="kr-number">Number today</Th>
                      <Th>Description</Th>
                      <Th>Manufacturer</Th>
                      <Th>State</Th>
                    </Tr>
                  </Thead>
                  <Tbody>
                    {results.map((slot) => (
                      <Tr key={slot.id}>
                        <Td dataLabel="Number today" className="kr-number">
                          <Mono>{slot.slot_id}</Mono>
                        </Td>
                        <Td dataLabel="Description">{slot.description}</Td>
                        <Td dataLabel="Manufacturer">{slot.manufacturer}</Td>
                        <Td dataLabel="State">
                          <SlotState error={slot.error} />
                        </Td>
                      </Tr>
                    ))}
                  </Tbody>
                </Table>
                {count > SHOWN && `The first ${SHOWN} of ${formatCount(count)}.`}
              </>
            )
          }
        </QueryView>
      </CardBody>
    </Card>
  );
}

function SlotState({ error }: { error: string }) {
  if (error === "") return <StateLabel state="ok" />;
  return (
    <>
      <StateLabel state="failed" text="unreadable" /> {error}
    </>
  );
}
