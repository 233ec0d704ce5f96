export type InstallPromptEvent = Event & { prompt: () => Promise<unknown> }

let installPrompt: InstallPromptEvent | undefined

/** Keeps the browser's offer to install the app, which comes only once, soon after the page loads. */
export const captureInstallPrompt = (): void =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt = event as InstallPromptEvent
  })

export const getInstallPrompt = (): InstallPromptEvent | undefined => installPrompt
