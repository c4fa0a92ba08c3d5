import {
  Breadcrumb,
  BreadcrumbItem,
  Content,
  Flex,
  FlexItem,
  PageBreadcrumb,
  PageSection,
  Title,
} from "@patternfly/react-core";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  /** The page's name: its heading and, with the product's, the window's title. */
  title: string;
  /** Replaces the heading's text where it is more than a word. */
  heading?: ReactNode;
  /** What this page is for, in one sentence. */
  children?: ReactNode;
  /** Labels beside the heading: state, simulated. */
  labels?: ReactNode;
  actions?: ReactNode;
  /** The page above this one. */
  parent?: { to: string; label: string };
}

export function PageHead({ title, heading, children, labels, actions, parent }: Props) {
  return (
    <>
      <title>{`${title} · Keyrack`}</title>
      {parent !== undefined && (
        <PageBreadcrumb>
          <Breadcrumb>
            <BreadcrumbItem
              render={({ className }) => (
                <Link className={className} to={parent.to}>
                  {parent.label}
                </Link>
              )}
            />
            <BreadcrumbItem isActive>{title}</BreadcrumbItem>
          </Breadcrumb>
        </PageBreadcrumb>
      )}
      <PageSection isWidthLimited={false}>
        <Flex
          justifyContent={{ default: "justifyContentSpaceBetween" }}
          alignItems={{ default: "alignItemsCenter" }}
          gap={{ default: "gapMd" }}
        >
          <Flex alignItems={{ default: "alignItemsCenter" }} gap={{ default: "gapSm" }}>
            <FlexItem>
              <Title headingLevel="h1" className="kr-heading">
                {heading ?? title}
              </Title>
            </FlexItem>
            {labels}
          </Flex>
          {actions !== undefined && <FlexItem>{actions}</FlexItem>}
        </Flex>
        {children !== undefined && (
          <div className="kr-subtitle">
            <Content component="p">{children}</Content>
          </div>
        )}
      </PageSection>
    </>
  );
}
