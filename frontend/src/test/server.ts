import { setupServer } from "msw/node";

/** Tests add their own handlers with `server.use`; what none handles fails the test. */
export const server = setupServer();
