/** Runs the code that must precede the router, then loads the first page's data, then renders. */
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { takePageResponses } from './api/page-responses.ts'
import { App, preloadFirstPage } from './app.tsx'
import { captureInstallPrompt } from './features/offline/install/install-prompt.ts'
import { hideEmailLinkSecret } from './navigation/hide-email-link-secret.ts'
import { installPopstateInterceptor } from './navigation/popstate-interceptor.ts'
import { preventBfcacheRestore } from './navigation/prevent-bfcache-restore.ts'
import { repeatQuickExit } from './navigation/repeat-quick-exit.ts'

/** Milliseconds of the static splash screen before React renders its fallbacks. */
const splashDelayMs = 500

/** Milliseconds that the first render waits at most for the photo in Home's splash to be on the screen. */
const splashPhotoDelayMs = 100

/**
 * If the photo in Home's splash has loaded, lets the browser show it before React occupies the browser for the first
 * render.
 */
async function showSplashPhoto(): Promise<void> {
  const isLoaded = document.querySelector<HTMLImageElement>('[data-home-splash] img')?.complete
  if (!isLoaded || !PerformanceObserver.supportedEntryTypes.includes('element')) return
  await new Promise<void>((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'element', buffered: true })
    setTimeout(resolve, splashPhotoDelayMs)
  })
}

function render() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>,
  )
}

if (!repeatQuickExit()) {
  hideEmailLinkSecret()
  installPopstateInterceptor()
  preventBfcacheRestore()
  captureInstallPrompt()
  takePageResponses()
  const ready = preloadFirstPage(location.pathname)
  // React shows a fallback for at least 300 ms, so this renders once. `await` would deadlock: lazy code imports this
  // module's chunk.
  void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, splashDelayMs))])
    .then(showSplashPhoto)
    .then(render)
}
