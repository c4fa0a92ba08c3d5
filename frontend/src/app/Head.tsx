import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  PageToggleButton,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from "@patternfly/react-core";
import { Link } from "react-router";
import { GlobalSearch } from "../features/search/GlobalSearch";
import { LiveIndicator } from "./LiveIndicator";
import { ThemeSwitch } from "./ThemeSwitch";
import { UserMenu } from "./UserMenu";

export function Head() {
  return (
    <Masthead display={{ default: "inline" }}>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton isHamburgerButton aria-label="Navigation" />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo
            component={(props) => <Link {...props} to="/" aria-label="Keyrack, overview" />}
          >
            <span className="kr-brand">
              <img src="/favicon.svg" alt="" width="28" height="28" />
              <span className="kr-brand-name kr-wide-only">Keyrack</span>
            </span>
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isStatic isFullHeight>
          <ToolbarContent>
            <ToolbarItem className="kr-search">
              <GlobalSearch />
            </ToolbarItem>
            <ToolbarGroup align={{ default: "alignEnd" }} gap={{ default: "gapSm" }}>
              <ToolbarItem>
                <LiveIndicator />
              </ToolbarItem>
              <ToolbarItem>
                <ThemeSwitch />
              </ToolbarItem>
              <ToolbarItem>
                <UserMenu />
              </ToolbarItem>
            </ToolbarGroup>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Masthead>
  );
}
