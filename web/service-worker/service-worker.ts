/**
 * The service worker: one module a concern, each of which listens for itself. A new concern is a module of its own beside these, imported
 * here. The build makes one script of it, `/sw.js`, and says in `build` which files the app is made of (vite.config.ts).
 */
import './cache-app-files.ts'
import './clear-member-data-listener.ts'
import './serve-cached-pictures.ts'
import './show-push-notifications.ts'
import './share-target.ts'
import './skip-waiting.ts'
