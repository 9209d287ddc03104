import '../checkout/src/element.js';
