/** Starts the web app: first the code that must run before the router, then the first page's data, then React. */
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

/** The static splash screen stays for this long (ms). After that, React renders its fallbacks. */
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
  // Renders once with all the data, because React shows a fallback for at least 300 ms. `await` would cause a deadlock
  // here, because lazy code imports the chunk that contains this module.
  void Promise.race([ready, new Promise((resolve) => setTimeout(resolve, splashDelayMs))]).then(render)
}
