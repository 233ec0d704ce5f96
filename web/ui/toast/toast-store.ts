/** New toasts wait here until their renderer has loaded. */
export type Toast = {
  id: number
  title?: string
  text?: string
  textLang?: 'es'
  kind: 'success' | 'destructive'
  action?: { label: string; run: () => void }
  open: boolean
}

type Wanted = Partial<Pick<Toast, 'title' | 'text' | 'textLang' | 'kind' | 'action'>>

/** Shows one toast for 5 s. Keeps a closed one for 1,000,000 ms. */
const toastLimit = 1
export const toastDurationMs = 5000
const toastRemovalDelayMs = 1_000_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast({ kind = 'success', ...wanted }: Wanted): number {
  lastId += 1
  change([{ ...wanted, kind, id: lastId, open: true }, ...toasts].slice(0, toastLimit))
  return lastId
}

/** The toast stays in the store until the removal delay has passed. */
export function dismissToast(id: number): void {
  if (!toasts.some((shown) => shown.id === id && shown.open)) return
  change(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)))
  setTimeout(() => change(toasts.filter((kept) => kept.id !== id)), toastRemovalDelayMs)
}

export const getCurrentToasts = (): readonly Toast[] => toasts

export function subscribeToToastChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
