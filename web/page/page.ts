// The hosted page: the element does the work. Here: the way back from a provider, which knows no token.
import '../checkout/src/element.js';

const lastPage = 'payonce:last-page';

// What a browser that keeps nothing misses is only this convenience.
function remembered(): string | null {
  try {
    return localStorage.getItem(lastPage);
  } catch {
    return null;
  }
}

function remember(path: string): void {
  try {
    localStorage.setItem(lastPage, path);
  } catch {
    // The page that this one leads back to says what to do.
  }
}

if (document.querySelector('payonce-checkout')) {
  remember(location.pathname + location.search);
} else if (document.querySelector('[data-return]')) {
  const path = remembered();
  if (path?.startsWith('/checkout/')) location.replace(path);
}
