// Both languages of the shop's pages: what stands in data-en and data-zh, and a few helpers for scripts.

const stored = (() => {
  try {
    return localStorage.getItem('shop-language');
  } catch {
    return null;
  }
})();
export const language = stored ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');

export const say = (en, zh) => (language === 'zh' ? zh : en);
export const money = (minor) =>
  new Intl.NumberFormat(say('en', 'zh-CN'), { style: 'currency', currency: 'CNY' }).format(minor / 100);
// What follows from a payment, as the shop calls it.
export const effectNames = {
  ship: say('Shipped', '已发货'), points: say('Points credited', '积分已到账'),
  coupon: say('Coupon for the next time', '优惠券已发放'),
};
export const find = (selector) => document.querySelector(selector);
export const clock = (iso) => new Date(iso).toLocaleTimeString(say('en-GB', 'zh-CN'), { hour12: false });

export async function api(method, path, body) {
  const response = await fetch(path, { method, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

document.documentElement.lang = say('en', 'zh-CN');
for (const one of document.querySelectorAll('[data-en]')) one.textContent = one.dataset[language];
const other = find('#language');
other.textContent = say('中文', 'English');
other.lang = say('zh-CN', 'en');
other.addEventListener('click', () => {
  localStorage.setItem('shop-language', say('zh', 'en'));
  location.reload();
});
