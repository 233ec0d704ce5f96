/**
 * The service worker: one self-registering module per concern, imported here. The build bundles `/sw.js` and
 * fills in `build` (vite.config.ts).
 */
import './cache-app-files.ts'
import './clear-member-data-listener.ts'
import './serve-cached-pictures.ts'
import './show-push-notifications.ts'
import './share-target.ts'
import './skip-waiting.ts'
