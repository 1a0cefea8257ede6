// fit.mjs - for node --import: every request of the suite asks for the profile $TENON_FIT (hosts.md HO-002).
const send = globalThis.fetch;

globalThis.fetch = (target, options = {}) => {
  const headers = new Headers(options.headers ?? (target instanceof Request ? target.headers : undefined));
  headers.set('Tenon-Fit', process.env.TENON_FIT);
  return send(target, { ...options, headers });
};
