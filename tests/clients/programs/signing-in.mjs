// In: a server that users sign in to, its first link and another, a browser, a place for pictures. Out: what people saw on their way in.
import { end, page } from "./browsing.mjs";
import { given, http } from "./scenario.mjs";

const TOKEN = `mutation { createAccessToken(input: { label: "browser" }) { ... on CreateAccessTokenPayload { token } } }`;

const owner = await page(given.link);
const found = { link: await byLink() };
const other = await page(given.link);
found.secondTime = { said: await other.alert(), kept: await other.storage() };
await picture(other, "used-up");
found.password = await byPassword();
found.ended = await ended();
found.token = await byToken();
found.signedOut = await signedOut();
found.later = await byLinkWithPassword();
await end(found);

/** The first visit: the schema is there, an operation runs, a password is set. */
async function byLink() {
  const seen = {
    address: owner.shown.url(),
    history: await owner.shown.evaluate(() => history.length),
    kept: await owner.storage(),
    urls: owner.requests.map((request) => request.url()).filter((url) => url.includes("fn_setup")),
    asked: await owner.shown.getByRole("dialog").innerText(),
  };
  await picture(owner, "set-a-password");
  await owner.shown.getByLabel("New password").fill(given.password);
  await owner.shown.keyboard.press("Enter");
  await gone(owner);
  await owner.shown.getByRole("button", { name: "Show Documentation Explorer" }).click();
  seen.schema = await owner.shown.getByText("A GraphQL schema provides a root type").locator("xpath=../..").innerText();
  seen.result = await owner.run("CreateProject", '"id"');
  await picture(owner, "signed-in");
  return seen;
}

/** With a wrong password, then the right one. */
async function byPassword() {
  const { shown } = other;
  await shown.getByLabel("E-mail address").fill("owner@localhost");
  await shown.getByLabel("Password").fill("not this one");
  await shown.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  const wrong = await other.alert({ hasNotText: "link" });
  await shown.getByLabel("Password").fill(given.password);
  await shown.keyboard.press("Enter");
  await gone(other);
  return { wrong, result: await other.run("HealthAndModels", '"version"') };
}

/** Elsewhere somebody ends the sign-in: the next subscription is refused by its socket. */
async function ended() {
  const token = await kept(owner);
  await owner.open("Follow");
  await owner.execute();
  await owner.shows('"errors"');
  await request("mutation { signOut }", token);
  await owner.execute();
  const said = await owner.alert();
  const inits = owner.frames.filter(({ type }) => type === "connection_init");
  return { said, shown: await owner.text(), token, payloads: inits.map(({ payload }) => payload.authorization) };
}

/** With a token that is none, then with one. */
async function byToken() {
  const { shown } = owner;
  const { data } = await request(TOKEN, await kept(other));
  await shown.getByLabel("Access token").fill("fn_access_none");
  await shown.getByRole("button", { name: "Use token" }).click();
  const wrong = await owner.alert({ hasNotText: "You are not" });
  await shown.getByLabel("Access token").fill(data.createAccessToken.token);
  await shown.getByRole("button", { name: "Use token" }).click();
  await gone(owner);
  return { wrong, result: await owner.run("HealthAndModels", '"version"') };
}

/** The way out: nothing is kept, the token is no good any more. */
async function signedOut() {
  const { shown } = other;
  const token = await kept(other);
  await shown.getByRole("button", { name: "Sign out" }).click();
  await shown.getByRole("heading", { name: "Sign in" }).waitFor();
  await picture(other, "signed-out");
  const alerts = await shown.getByRole("dialog").getByRole("alert").count();
  const { status } = await request("{ viewer { user { email } } }", token);
  await shown.keyboard.press("Escape");
  await gone(other);
  const button = await shown.getByRole("button", { name: "Sign in" }).innerText();
  return { kept: await shown.evaluate(() => sessionStorage.length), alerts, status, button };
}

/** A link in a page that is open already, of somebody who has a password. */
async function byLinkWithPassword() {
  const { shown } = other;
  await shown.evaluate((hash) => (location.hash = hash), new URL(given.another).hash);
  await shown.getByLabel("New password").fill(given.password);
  await shown.keyboard.press("Enter");
  const said = await other.alert();
  await shown.getByRole("button", { name: "Later" }).click();
  await gone(other);
  const result = await other.run("HealthAndModels", '"version"');
  return { said, result, address: shown.url(), account: await shown.locator(".footnote-account").innerText() };
}

/** Until no form is there. */
async function gone({ shown }) {
  await shown.getByRole("dialog").waitFor({ state: "detached" });
}

async function kept(visitor) {
  return (await visitor.storage()).find((value) => value.startsWith("fn_"));
}

async function request(query, token) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(http, { method: "POST", headers, body: JSON.stringify({ query }) });
  return { status: response.status, ...(await response.json()) };
}

async function picture({ shown }, name) {
  await shown.screenshot({ path: `${given.pictures}/${name}.png` });
}
