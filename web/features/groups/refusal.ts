import { ApiError } from '#web/api.ts'
import { toast } from '#web/ui/toast-store.ts'

const inEnglish = ['group_not_found']

/** The server's sentence where it has one, in its language (conflict C-32); otherwise ours. */
export function refusalOf(error: unknown, otherwise: string): { text: string; textLang?: 'es' } {
  // A masked fault of the server says nothing, and a body that is not ours was never meant for her.
  const said =
    error instanceof ApiError && typeof error.response === 'object' && error.type !== 'general_unknown'
  if (!said || !error.message) return { text: otherwise }
  const spanish = error.type.startsWith('group_') && !inEnglish.includes(error.type)
  return spanish ? { text: error.message, textLang: 'es' } : { text: error.message }
}

export const sayRefusal = (error: unknown, otherwise: string) =>
  toast({ title: 'Error', ...refusalOf(error, otherwise), kind: 'destructive' })
