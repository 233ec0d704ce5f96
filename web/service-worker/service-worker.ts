/** Each module registers itself. The build bundles them to `/sw.js` and fills in `build` (vite.config.ts). */
import './cache-app-files.ts'
import './clear-member-data-listener.ts'
import './serve-cached-pictures.ts'
import './show-push-notifications.ts'
import './share-target.ts'
import './skip-waiting.ts'
