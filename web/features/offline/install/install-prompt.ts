/** What Chromium offers to a page that can be installed. */
export type InstallPromptEvent = Event & { prompt: () => Promise<unknown> }

let installPrompt: InstallPromptEvent | undefined

/** Keeps the browser's offer for a good moment: it comes once, soon after the page. */
export const captureInstallPrompt = (): void =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt = event as InstallPromptEvent
  })

export const getInstallPrompt = (): InstallPromptEvent | undefined => installPrompt
