/**
 * The one toast on screen and the closed record it leaves (spec §4, conflict C-19). Anyone may raise a toast, also before
 * the part that draws it has been loaded: it waits here.
 */
export type Toast = {
  id: number
  title?: string
  text?: string
  /** The language of the text where the server said it in Spanish (conflict C-32). */
  textLang?: 'es'
  kind: 'success' | 'destructive'
  action?: { label: string; run: () => void }
  open: boolean
}

type Wanted = Partial<Pick<Toast, 'title' | 'text' | 'textLang' | 'kind' | 'action'>>

/** Spec §9: one at a time, 5 s on screen, a closed one forgotten after 1,000,000 ms. */
const toastLimit = 1
export const toastDuration = 5000
const toastRemovalDelay = 1_000_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast in place of the one before. */
export function toast({ kind = 'success', ...wanted }: Wanted): number {
  lastId += 1
  change([{ ...wanted, kind, id: lastId, open: true }, ...toasts].slice(0, toastLimit))
  return lastId
}

/** Takes it off the screen; its record stays until the removal delay is over. */
export function dismissToast(id: number): void {
  if (!toasts.some((shown) => shown.id === id && shown.open)) return
  change(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)))
  setTimeout(() => change(toasts.filter((kept) => kept.id !== id)), toastRemovalDelay)
}

export const currentToasts = (): readonly Toast[] => toasts

export function onToastChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
