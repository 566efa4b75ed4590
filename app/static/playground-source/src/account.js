// In: a link, a password or a token. Out: the token that the server gives for it, kept; and what to ask for on the page.
import { useSyncExternalStore } from "react";

import { plainHeaders, post } from "./http.js";
import { authorization, forgetToken, keepToken, takeFromAddress, tokenOf } from "./token.js";

const REDEEM = `mutation RedeemSetupToken($token: String!) { redeemSetupToken(input: { token: $token }) {
  ... on RedeemSetupTokenPayload { token user { email } } ... on Error { message } } }`;
const SIGN_IN = `mutation SignIn($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) {
  ... on SignInPayload { token user { email } } ... on Error { message } } }`;
const SET_PASSWORD = `mutation SetPassword($password: String!) { changePassword(input: { newPassword: $password }) {
  ... on ChangePasswordPayload { user { email } } ... on ValidationError { message issues { path } }
  ... on Error { message } } }`;
const SIGN_OUT = "mutation SignOut { signOut }";
const VIEWER = "query Viewer { viewer { user { email } } }";

/**
 * `form`: what is asked for, "sign-in", "password" or "link", or null. `problem`: why. `required`: whether the server has
 * refused who shows no token. `changes`: how often somebody else began to ask, for whom the schema is read again. `link`:
 * what a link gives that was followed while somebody is signed in.
 */
let account = { form: null, link: null, problem: "", required: false, changes: 0, email: tokenOf() };
const listeners = new Set();

export function useAccount() {
  return useSyncExternalStore(listen, () => account);
}

function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(changed) {
  account = { ...account, ...changed, email: tokenOf() };
  for (const listener of listeners) listener();
}

/**
 * Lets in whom the address lets in: by a token, or by a link, which works once. Anybody can make a link: who is signed in is
 * asked first, or what they do next they would do as somebody else.
 */
export async function enterByAddress() {
  const link = takeFromAddress();
  if (link === null || (link.token && `Bearer ${link.token}` === authorization())) return;
  if (authorization()) show({ form: "link", problem: "", link });
  else await follow(link);
}

/** Goes on with the link that was asked about. */
export async function followLink() {
  const { link } = account;
  closeForm();
  await follow(link);
}

async function follow({ token, setup }) {
  if (setup !== null) {
    const { problem } = await entered(REDEEM, { token: setup }, "password");
    if (problem) show({ form: "sign-in", problem: `The link did not let you in. ${problem}` });
    return;
  }
  if (token) keepToken(token);
  else forgetToken();
  show({ form: null, problem: "", changes: account.changes + 1 });
}

/** Signs in; what is wrong, or nothing. */
export async function signIn(email, password) {
  const { problem } = await entered(SIGN_IN, { email, password });
  return problem;
}

/** Goes on with an access token, if the server takes it; what is wrong, or nothing. */
export async function enterByToken(given) {
  const token = given.trim().replace(/^Bearer\s+/i, "");
  if (!/^[\x21-\x7e]+$/.test(token)) return "This is no token: one has no spaces and only plain letters, digits and signs.";
  const { problem, field } = await run(VIEWER, {}, `Bearer ${token}`);
  if (problem) return problem;
  enter(token, field.user.email);
}

/** Sets the first password of who came by a link. All sign-ins end with that, so that a new one is begun. */
export async function setPassword(password) {
  const email = account.email;
  const { problem, field } = await run(SET_PASSWORD, { password }, authorization());
  if (field?.issues?.some(({ path }) => path.includes("currentPassword"))) {
    return `You have a password already. \`footnote user password ${email}\` sets another, or \`changePassword\` for who knows it.`;
  }
  if (problem) return problem;
  const refusal = await signIn(email, password);
  if (refusal) {
    forgetToken();
    show({ form: "sign-in", problem: refusal });
  }
}

/** Ends the sign-in, and forgets all that the page shows: what comes next is somebody else's. */
export async function signOut() {
  await run(SIGN_OUT, {}, authorization()); // an access token, or one that has ended, is only forgotten
  forgetToken();
  location.reload();
}

/** The server took `credential` for nobody's; whoever sends one of their own, by the Headers editor, sees the answer. */
export function refused(credential, message) {
  if (credential !== authorization()) return;
  forgetToken();
  show({ form: "sign-in", problem: credential ? `You are not signed in. ${message}` : account.problem, required: true });
}

/** A socket does not say why it was refused; a request does. */
export async function ask(credential) {
  await run(VIEWER, {}, credential, refused);
}

export function openForm() {
  show({ form: "sign-in", problem: "" });
}

export function closeForm() {
  show({ form: null, problem: "", link: null });
}

async function entered(operation, variables, form = null) {
  const { problem, field } = await run(operation, variables, null);
  if (!problem) enter(field.token, field.user.email, form);
  return { problem };
}

function enter(token, email, form = null) {
  keepToken(token, email);
  show({ form, problem: "", changes: account.changes + 1 });
}

/** The operation's only field, or what is wrong with it in a sentence. */
async function run(query, variables, credential, whenRefused) {
  const headers = plainHeaders();
  if (credential) headers.set("Authorization", credential);
  const { status, result } = await post({ query, variables }, headers);
  const [field] = Object.values(result.data ?? {});
  const problem = result.errors?.[0]?.message ?? field?.message;
  if (status === 401) whenRefused?.(credential, problem);
  return { problem, field };
}
