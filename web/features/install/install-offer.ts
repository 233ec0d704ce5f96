/** What Chromium offers to a page that can be installed. */
export type InstallOffer = Event & { prompt: () => Promise<unknown> }

let offer: InstallOffer | undefined

/** Keeps the browser's offer for a good moment: it comes once, soon after the page. */
export const keepInstallOffer = (): void =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer = event as InstallOffer
  })

export const getInstallOffer = (): InstallOffer | undefined => offer
