import { lists } from "../../api/queries";
import { formatUtc } from "../../components/format";
import { ResourceList } from "../../components/list/ResourceList";
import { PageHead } from "../../components/PageHead";
import { EmptyView } from "../../components/States";
import { CERTIFICATE_COLUMNS, certificatePlaceColumns } from "./columns";
import { expiryOptions } from "./expiry";
import { TokenTabs } from "./TokenTabs";

export function CertificatesPage() {
  return (
    <>
      <PageHead title="Certificates">
        Certificates that tokens show without a login, those that expire first on top.
      </PageHead>
      <TokenTabs>
        <ResourceList
          title="Certificates"
          path="/api/v1/certificates/"
          query={lists.certificates}
          columns={[...CERTIFICATE_COLUMNS, ...certificatePlaceColumns]}
          filters={[
            { kind: "text", name: "search", label: "Subject, issuer or name" },
            { kind: "choice", name: "expires_before", label: "Expires", options: expiryOptions() },
            { kind: "given", name: "expires_after", label: "Expires after", show: formatUtc },
          ]}
          defaultOrdering="not_after"
          rowKey={(certificate) => certificate.id}
          empty={
            <EmptyView title="No certificate in the open">
              No token shows a certificate without a login.
            </EmptyView>
          }
        />
      </TokenTabs>
    </>
  );
}
