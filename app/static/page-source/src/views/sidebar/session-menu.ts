/** The menu of a chat. */
import Archive from "@lucide/svelte/icons/archive";
import ArchiveRestore from "@lucide/svelte/icons/archive-restore";
import FileBraces from "@lucide/svelte/icons/file-braces";
import FileText from "@lucide/svelte/icons/file-text";
import Pencil from "@lucide/svelte/icons/pencil";
import Pin from "@lucide/svelte/icons/pin";
import PinOff from "@lucide/svelte/icons/pin-off";
import Trash2 from "@lucide/svelte/icons/trash-2";
import Users from "@lucide/svelte/icons/users";

import type { ExportFormat } from "$lib/api";
import type { MenuItem } from "$lib/components";
import { saveChat } from "$lib/exports";
import { t } from "$lib/messages.svelte";
import { account } from "$lib/state/account.svelte";
import { sessions, type SessionItem } from "$lib/state/sessions.svelte";
import { toasts } from "$lib/state/toasts.svelte";

export type SessionDialog = "rename" | "delete";
type Known = Pick<SessionItem, "id" | "title" | "shared" | "pinned" | "archived" | "createdBy">;

/** `open` shows a dialog about the chat. Chats shared by others can be saved but not changed. */
export function sessionMenu({ id, title, shared, pinned, archived, createdBy }: Known, open: (dialog: SessionDialog) => void): MenuItem[] {
  const update = (change: Partial<Known>) => () => {
    sessions.update({ id, ...change }).catch((error: unknown) => toasts.fail(error));
  };
  const save = (format: ExportFormat) => () => {
    saveChat(id, title, format).catch((error: unknown) => toasts.fail(error));
  };
  const exports = [
    { label: t("export.markdown"), icon: FileText, onselect: save("MARKDOWN") },
    { label: t("export.json"), icon: FileBraces, onselect: save("JSON") },
  ];
  if (!account.isViewer(createdBy)) return exports;
  return [
    { label: t("session.rename"), icon: Pencil, onselect: () => open("rename") },
    { label: pinned ? t("session.unpin") : t("session.pin"), icon: pinned ? PinOff : Pin, onselect: update({ pinned: !pinned }) },
    { label: shared ? t("session.unshare") : t("session.share"), icon: Users, onselect: update({ shared: !shared }) },
    {
      label: archived ? t("session.unarchive") : t("session.archive"),
      icon: archived ? ArchiveRestore : Archive,
      onselect: update({ archived: !archived }),
    },
    ...exports,
    { label: t("session.delete"), icon: Trash2, danger: true, onselect: () => open("delete") },
  ];
}
