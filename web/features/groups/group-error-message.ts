import { ApiError } from '#web/api/client.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

const inEnglish = ['group_not_found']

/** Picks the message of an error: the server's in its language where it has one, otherwise `otherwise`. */
export function getGroupErrorMessage(error: unknown, otherwise: string): { text: string; textLang?: 'es' } {
  // A masked server fault says nothing, and a body that is not the server's was never meant for members.
  const fromServer =
    error instanceof ApiError && typeof error.response === 'object' && error.type !== 'general_unknown'
  if (!fromServer || !error.message) return { text: otherwise }
  const spanish = error.type.startsWith('group_') && !inEnglish.includes(error.type)
  return spanish ? { text: error.message, textLang: 'es' } : { text: error.message }
}

export const showGroupErrorToast = (error: unknown, otherwise: string) =>
  toast({ title: 'Error', ...getGroupErrorMessage(error, otherwise), kind: 'destructive' })
