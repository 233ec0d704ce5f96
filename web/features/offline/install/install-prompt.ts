/** Chromium's install event. */
export type InstallPromptEvent = Event & { prompt: () => Promise<unknown> }

let installPrompt: InstallPromptEvent | undefined

/** Keeps the browser's install offer, which comes once early. */
export const captureInstallPrompt = (): void =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt = event as InstallPromptEvent
  })

export const getInstallPrompt = (): InstallPromptEvent | undefined => installPrompt
