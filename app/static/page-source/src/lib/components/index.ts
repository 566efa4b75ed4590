/** Small accessible components shared by all views. */
export { default as Badge } from "./Badge.svelte";
export { default as Button } from "./Button.svelte";
export { default as Dialog } from "./Dialog.svelte";
export { default as Empty } from "./Empty.svelte";
export { default as Field } from "./Field.svelte";
export { default as Mark } from "./Mark.svelte";
export { default as Menu, type MenuItem } from "./Menu.svelte";
export { default as Missing } from "./Missing.svelte";
export { default as NotLoaded } from "./NotLoaded.svelte";
export { default as PageTitle } from "./PageTitle.svelte";
export { default as ProblemView } from "./ProblemView.svelte";
export { default as Spinner } from "./Spinner.svelte";
export { default as Tabs } from "./Tabs.svelte";
export { default as Toasts } from "./Toasts.svelte";
export { default as Tooltip } from "./Tooltip.svelte";
export { default as View } from "./View.svelte";
export { default as Waiting } from "./Waiting.svelte";
