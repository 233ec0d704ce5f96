/** Starts the web app: what must precede the router, the first page's data, then React. */
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

/** Milliseconds to keep the static splash before React's fallbacks. */
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
  // Renders once with all data, because React keeps a shown fallback for 300 ms. No `await`: lazy code
  // imports this module's chunk and would deadlock.
  void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, splashDelayMs))]).then(render)
}
