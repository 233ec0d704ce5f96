/** Starts the web app: what must run before the router, the first page's data, then React. */
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App, preloadFirstPage } from './app.tsx'
import { captureInstallPrompt } from './features/offline/install/install-prompt.ts'
import { hideEmailLinkSecret } from './navigation/hide-email-link-secret.ts'
import { installPopstateInterceptor } from './navigation/popstate-interceptor.ts'
import { preventBfcacheRestore } from './navigation/prevent-bfcache-restore.ts'
import { repeatQuickExit } from './navigation/repeat-quick-exit.ts'

/** How long to keep the static splash before rendering React's fallbacks (ms). */
const splashDelayMs = 500

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
  const ready = preloadFirstPage(location.pathname)
  // Renders once with everything there, instead of three times: React keeps a fallback it has shown for 300 ms. No
  // `await`: the lazy code imports the chunk of this module and would wait for it in turn.
  void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, splashDelayMs))]).then(render)
}
