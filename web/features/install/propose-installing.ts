import { isIos } from '#web/ui/images/is-ios.ts'
import { onGoodMoment } from './good-moment.ts'
import { mayProposeInstalling, noteDayOfUse, noteProposed } from './hint-schedule.ts'
import { getInstallOffer } from './install-offer.ts'

const isInstalled = () => matchMedia('(display-mode: standalone)').matches

/**
 * Calls `propose` after a post or a message of the member's, where Juntas can be installed and is not, and it is time to say so.
 * @returns stops
 */
export function proposeInstalling(propose: () => void): () => void {
  noteDayOfUse()
  return onGoodMoment(() => {
    if (isInstalled() || !(getInstallOffer() ?? isIos()) || !mayProposeInstalling()) return
    noteProposed()
    propose()
  })
}
