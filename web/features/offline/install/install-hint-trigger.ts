import { isIos } from '#web/ui/images/is-ios.ts'
import { onContentSent } from './content-sent-event.ts'
import { isInstallHintDue, recordDayOfUse, recordInstallHintShown } from './install-hint-schedule.ts'
import { getInstallPrompt } from './install-prompt.ts'

const isInstalled = () => matchMedia('(display-mode: standalone)').matches

/**
 * Fires after the member sent content, if the app is installable.
 * @returns a function that stops listening
 */
export function onInstallHintDue(propose: () => void): () => void {
  recordDayOfUse()
  return onContentSent(() => {
    if (isInstalled() || !(getInstallPrompt() ?? isIos()) || !isInstallHintDue()) return
    recordInstallHintShown()
    propose()
  })
}
