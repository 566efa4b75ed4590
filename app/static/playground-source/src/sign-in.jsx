// In: what the server asks for. Out: the form for it over the page, and beside the logo who is signed in.
import { pick, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { useEffect, useId, useRef, useState } from "react";

import { closeForm, enterByToken, followLink, openForm, setPassword, signIn, signOut, useAccount } from "./account.js";

/** Who is signed in, and the way out; or the way in, where there is none without. */
export function Account() {
  const { email, required } = useAccount();
  if (email !== null) {
    return (
      <span className="footnote-account">
        <span title={email}>{email}</span>
        <button type="button" className="graphiql-button" onClick={signOut}>
          Sign out
        </button>
      </span>
    );
  }
  if (!required) return null;
  return (
    <span className="footnote-account">
      <button type="button" className="graphiql-button" onClick={openForm}>
        Sign in
      </button>
    </span>
  );
}

/** Reads the schema again when somebody else began to ask. */
export function SchemaOfAccount() {
  const { changes } = useAccount();
  const { introspect } = useGraphiQLActions();
  const { schema, responseEditor } = useGraphiQL(pick("schema", "responseEditor"));
  const before = useRef(changes);
  useEffect(() => {
    if (changes === before.current) return;
    before.current = changes;
    if (!schema) responseEditor?.setValue(""); // all that was shown is that there is none
    introspect();
  }, [changes, schema, responseEditor, introspect]);
  return null;
}

/** The form that is asked for, if any. */
export function AccountForm() {
  const { form, problem, email } = useAccount();
  if (form === "sign-in") return <SignIn problem={problem} />;
  if (form === "password") return <FirstPassword email={email} />;
  if (form === "link") return <FollowLink email={email} />;
  return null;
}

function SignIn({ problem }) {
  const byPassword = useAttempt(({ email, password }) => signIn(email, password));
  const byToken = useAttempt(({ token }) => enterByToken(token));
  // What was tried last is what is told of.
  const shown = byPassword.problem || byToken.problem || problem;
  const start = (attempt, other) => (event) => {
    other.clear();
    attempt.submit(event);
  };
  return (
    <Dialog title="Sign in" problem={shown}>
      <form onSubmit={start(byPassword, byToken)}>
        <Field label="E-mail address" name="email" autoComplete="username" inputMode="email" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
        <Buttons busy={byPassword.busy} action="Sign in" />
      </form>
      <p className="footnote-or">or</p>
      <form onSubmit={start(byToken, byPassword)}>
        <Field label="Access token" name="token" type="password" autoComplete="off">
          The operator makes one with <code>footnote token create EMAIL --label LABEL</code>, and with{" "}
          <code>footnote user link EMAIL</code> a link that lets you in once.
        </Field>
        <Buttons busy={byToken.busy} action="Use token" second later="Not now" />
      </form>
    </Dialog>
  );
}

function FirstPassword({ email }) {
  const { problem, busy, submit } = useAttempt(({ password }) => setPassword(password));
  return (
    <Dialog title="Set a password" problem={problem}>
      <p>
        You are signed in as <strong>{email}</strong>. The link is used up now: with a password you can come again.
      </p>
      <form onSubmit={submit}>
        <input hidden readOnly name="email" autoComplete="username" value={email} />
        <Field label="New password" name="password" type="password" autoComplete="new-password" minLength={8}>
          At least 8 characters, no other rule.
        </Field>
        <Buttons busy={busy} action="Set password" later="Later" />
      </form>
    </Dialog>
  );
}

function FollowLink({ email }) {
  const { busy, submit } = useAttempt(followLink);
  return (
    <Dialog title="Follow the link?">
      <p>
        You are signed in{email && <> as <strong>{email}</strong></>}. The link takes the place of that in this tab, and what you
        do next is done by whom it lets in.
      </p>
      <form onSubmit={submit}>
        <Buttons busy={busy} action="Follow the link" later="Stay as I am" />
      </form>
    </Dialog>
  );
}

/** Hands the fields to `attempt` in place of the browser, which is forbidden to send a form anywhere. */
function useAttempt(attempt) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem("");
    setProblem((await attempt(Object.fromEntries(new FormData(event.currentTarget)))) ?? "");
    setBusy(false);
  };
  return { problem, busy, submit, clear: () => setProblem("") };
}

function Dialog({ title, problem, children }) {
  const dialog = useRef(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before?.focus();
  }, []);
  return (
    <dialog ref={dialog} className="graphiql-dialog footnote-dialog" aria-labelledby={id} onClose={closeForm}>
      <h1 id={id}>{title}</h1>
      {problem && <p role="alert">{inWords(problem)}</p>}
      {children}
    </dialog>
  );
}

function Field({ label, children, ...input }) {
  const id = useId();
  const hint = children && `${id}-hint`;
  return (
    <div className="footnote-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="text" required spellCheck={false} autoCapitalize="none" aria-describedby={hint} {...input} />
      {children && <small id={hint}>{children}</small>}
    </div>
  );
}

function Buttons({ busy, action, second, later }) {
  return (
    <div className="footnote-buttons">
      <button type="submit" className={`graphiql-button ${second ? "" : "footnote-first"}`} aria-busy={busy}>
        {action}
      </button>
      {later && (
        <button type="button" className="graphiql-button" onClick={closeForm}>
          {later}
        </button>
      )}
    </div>
  );
}

/** What stands between backticks is to be typed. */
function inWords(text) {
  return text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}
