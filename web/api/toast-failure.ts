import { en } from '#contract/language.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { genericErrorMessage } from './error-message.ts'

export const toastFailure = (text = genericErrorMessage): void =>
  void toast({ title: en('Error', 'Error'), text, kind: 'destructive' })
