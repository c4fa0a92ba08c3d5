import { Alert, LoginForm, LoginPage as LoginFrame } from "@patternfly/react-core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { Navigate, useSearchParams } from "react-router";
import { asApiError } from "../../api/errors";
import { login } from "../../api/mutations";
import { keys } from "../../api/queries";
import { queryClient } from "../../app/queryClient";
import { useSession } from "../../app/session";

/** Only addresses of this dashboard; a link must not send whoever logs in elsewhere. */
export function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/";
}

export function LoginPage() {
  const [params] = useSearchParams();
  const session = useSession();
  if (session.data) return <Navigate to={safeNext(params.get("next"))} replace />;
  return (
    <LoginFrame
      loginTitle="Log in to Keyrack"
      textContent="The cryptographic resources of your fleet: what there is, who may use it, and what it is worth."
      brandImgProps={{ src: "/favicon.svg", alt: "Keyrack", widths: { default: "48px" } }}
    >
      <title>Log in · Keyrack</title>
      <Credentials />
    </LoginFrame>
  );
}

function Credentials() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const enter = useMutation({
    mutationFn: login,
    onSuccess: (me) => queryClient.setQueryData(keys.me, me),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (username !== "" && password !== "") enter.mutate({ username, password });
  };
  return (
    <>
      {enter.isError && (
        <Alert
          component="p"
          isInline
          variant="danger"
          title={asApiError(enter.error).message}
          className="kr-below"
          isLiveRegion
        />
      )}
      <LoginForm
        usernameLabel="User name"
        usernameValue={username}
        onChangeUsername={(_event, value) => setUsername(value)}
        passwordLabel="Password"
        passwordValue={password}
        onChangePassword={(_event, value) => setPassword(value)}
        isShowPasswordEnabled
        onSubmit={submit}
        isLoginButtonDisabled={enter.isPending}
        loginButtonLabel="Log in"
      />
    </>
  );
}
