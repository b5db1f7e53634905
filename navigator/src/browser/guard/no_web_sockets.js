// Runs before the first script of a page or a worker. What it uses of the language is taken now:
// later a page can have changed it.
(() => {
    const { construct } = Reflect;
    const { URL, String } = self;
    const { call } = Function.prototype;
    const charCodeAt = call.bind(String.prototype.charCodeAt);
    const toString = call.bind(Number.prototype.toString);
    const href = call.bind(Object.getOwnPropertyDescriptor(URL.prototype, 'href').get);
    // The host that is asked for in its place: its labels are the address in hexadecimal digits,
    // cut, so that the guard can name what it refuses.
    const refusing = given => {
        let labels = '';
        try {
            // A worker has no place yet when this script runs.
            const address = href(new URL(String(given), self.location.href));
            for (let at = 0; at < address.length && at < 100; at += 1) {
                const code = charCodeAt(address, at);
                if (code === 35 || code === 63) break;
                labels += (code < 16 ? '0' : '') + toString(code, 16) + (at % 25 === 24 ? '.' : '');
            }
        } catch {}
        const end = labels && labels[labels.length - 1] !== '.' ? '.' : '';
        return 'wss://' + labels + end + 'websockets.invalid/';
    };
    for (const name of ['WebSocket', 'WebSocketStream']) {
        const native = self[name];
        if (!native) continue;
        const refused = new Proxy(native, {
            construct: (_native, given, made) => construct(native, [refusing(given[0])], made),
        });
        const property = { value: refused, writable: true, enumerable: false, configurable: true };
        Object.defineProperty(native.prototype, 'constructor', property);
        Object.defineProperty(self, name, property);
    }
})();
